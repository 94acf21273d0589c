/** Describes a draw in sentences without mathematics. */
import type { Step, Transcript, Unchecked } from 'hashwell/draw';
import { counted, grouped, ordinal } from './dom.js';

type Plan = Transcript['plan'];

/** The names of the methods, and descriptions of how they work. */
export const METHODS: Record<Plan['method'], { name: string; does: string }> = {
  index: { name: 'by random numbers', does: 'A random number picks a row of the sorted list, the next one a row of those that are left, and so on.' },
  ticket: { name: 'by tickets', does: 'Each row gets a ticket, a random number that follows from its name alone. The smallest tickets are picked.' },
  bernoulli: { name: 'each row by its own chance', does: 'Each row gets a ticket, and is picked if the ticket is small enough. How many there are is chance.' },
  'weighted-ticket': { name: 'by weight, one after the other', does: 'Each row gets a random time, which its weight shortens. Those with the shortest times are picked.' },
  'pps-systematic': { name: 'with chances in proportion to weight', does: 'All rows lie on a line, each as long as its weight. Points at equal distances, from a random start, pick the rows they hit.' },
  gap: { name: 'from a stream', does: 'The first rows take the places there are; later ones, at random distances, take the place of one of them.' },
  replace: { name: 'with rows put back', does: 'Each random number picks from the whole list, so that a row may be picked more than once.' },
};

/** Describes the origin of the seed. */
export function origin(seed: Transcript['seed']): string {
  switch (seed.from) {
    case 'dice': return `Dice were thrown. They showed, in this order: ${seed.text}`;
    case 'text': return `Somebody gave this text: “${seed.text}”`;
    case 'hex': return `Somebody gave these bytes: ${seed.hex}`;
    case 'os': return `The computer of whoever drew made it up: ${seed.hex}. Nobody else can know that it was not chosen.`;
    case 'drand': return `It is a round of drand, a public source of random numbers that nobody makes alone: ${seed.hex}`;
    case 'nist': return `It is a pulse of the public beacon of NIST, an office of the United States: ${seed.hex}`;
  }
}

/** Describes the plan. */
export function planned(plan: Plan): string {
  const rows = plan.list.kind === 'numbers' ? `the numbers 1 to ${grouped(plan.n)}` : `a list of ${counted(plan.n, 'row')}`;
  const many = plan.k === undefined
    ? `each row with chance ${plan.p}`
    : `${counted(plan.k, 'pick')}${plan.allocation === 'each' ? ' of each part' : ''}`;
  const parts = plan.strata ? ` The list has ${counted(plan.strata.length, 'part')}, each drawn by itself.` : '';
  const purpose = plan.context ? ` It is for “${plan.context}”.` : '';
  return `From ${rows}, ${many}.${parts}${purpose}`;
}

/** Describes how a pick was computed. */
export function told(step: Step, plan: Plan): string {
  switch (step.how) {
    case 'number': {
      const [word, refused] = [step.words.at(-1), step.words.length - 1];
      const passed = refused === 0 ? '' : ` (${counted(refused, 'number')} before it would have favoured some rows, and did not count)`;
      const left = plan.method === 'index' ? 'rows that are left' : 'rows';
      return `Random number ${word}${passed}. Divided by ${grouped(step.choices)}, the ${left}, it leaves ${grouped(step.rest)}: ${row(step.position)}.`;
    }
    case 'ticket':
      return step.below === undefined
        ? `Its ticket is ${step.ticket}.`
        : `Its ticket is ${step.ticket}, which is below ${step.below}.`;
    case 'time':
      return `Its random time over its weight is about ${step.quotient.toPrecision(6)}.`;
    case 'point':
      return `Its part of the line is from ${grouped(step.from)} to ${grouped(step.to)}, and point ${grouped(step.point)} lies in it: ${row(step.position)}.`;
    case 'slot':
      return step.passed === undefined
        ? `Among the first: ${row(step.position)}.`
        : `After ${counted(step.passed, 'row')} that ${step.passed === '1' ? 'was' : 'were'} passed over, it took a place: ${row(step.position)}.`;
    case 'list':
      return 'Only the list can tell, which is not here.';
  }
}

function row(position: string): string {
  const number = BigInt(position) + 1n;
  const small = number <= BigInt(Number.MAX_SAFE_INTEGER);
  return `the ${small ? ordinal(Number(number)) : `${number}th`} row`;
}

/** Describes an unchecked item in a sentence. */
export function unchecked({ code, message }: Unchecked): string {
  switch (code) {
    case 'commitment': return 'Whether the plan was published before the seed was known. Compare the commitment below with what was published.';
    case 'list': return 'What needs the list: add it, and the whole draw is computed again.';
    case 'seed-origin': return 'Where the seed came from: only people who were there can say that it came about as the plan announced.';
    case 'beacon-signature': return 'Whether the beacon signed this: this page does not check signatures. The command “hashwell verify” does.';
    case 'beacon-key':
    case 'memory':
    case 'positions': return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  }
}

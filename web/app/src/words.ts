/** Explanations of a draw for people without mathematical training. */
import type { Step, Transcript, Unchecked } from 'hashwell/draw';
import { counted, grouped, ordinal } from './dom.js';

type Plan = Transcript['plan'];

/** The name and an explanation of each method. */
export const METHODS: Record<Plan['method'], { name: string; does: string }> = {
  index: { name: 'by random numbers', does: 'A random number picks a row of the sorted list, the next number picks one of the remaining rows, and so on.' },
  ticket: { name: 'by tickets', does: 'Each row gets a ticket, a random number that depends only on the key of the draw and the row. The rows with the smallest tickets are picked.' },
  bernoulli: { name: 'each row independently', does: 'Each row gets a ticket, a random number, and is picked if its ticket is below a limit. The number of picks is random.' },
  'weighted-ticket': { name: 'by weight, one row after another', does: 'Each row gets a random time, which is divided by the row’s weight. The rows with the shortest times are picked.' },
  'pps-systematic': { name: 'with probability proportional to weight', does: 'Each row is a segment of a line, and the length of the segment is the row’s weight. Points at equal distances, with a random start, pick the rows whose segments they hit.' },
  gap: { name: 'from a stream', does: 'The first rows are picked. At random distances, a later row then replaces one of the picked rows.' },
  replace: { name: 'with replacement', does: 'Each random number picks a row of the whole list, so a row can be picked more than once.' },
};

/** Describes the origin of the seed. */
export function origin(seed: Transcript['seed']): string {
  switch (seed.from) {
    case 'dice': return `The seed comes from dice. They showed, in this order: ${seed.text}`;
    case 'text': return `The seed is this text: “${seed.text}”`;
    case 'hex': return `The seed consists of these bytes: ${seed.hex}`;
    case 'os': return `The organizer’s computer generated the seed: ${seed.hex}. Other people can’t verify that the organizer didn’t choose it.`;
    case 'drand': return `The seed is a round of drand, a public random beacon that no single organization controls: ${seed.hex}`;
    case 'nist': return `The seed is a pulse of the public random beacon of NIST, an agency of the United States: ${seed.hex}`;
  }
}

/** Describes the plan. */
export function planned(plan: Plan): string {
  const numbers = plan.list.kind === 'numbers';
  const rows = numbers ? `the numbers 1 to ${grouped(plan.n)}` : `a list of ${counted(plan.n, 'row')}`;
  const draws = plan.k === undefined
    ? `Pick each ${numbers ? 'of' : 'row of'} ${rows} with probability ${plan.p}.`
    : `Pick ${counted(plan.k, 'row')}${plan.allocation === 'each' ? ' of each stratum' : ''} from ${rows}.`;
  const strata = plan.strata
    ? ` The list has ${counted(plan.strata.length, 'stratum', 'strata')} (groups of rows that are drawn separately).` : '';
  const purpose = plan.context ? ` The purpose of the draw is “${plan.context}”.` : '';
  return `${draws}${strata}${purpose}`;
}

/** Explains a pick. */
export function told(step: Step, plan: Plan): string {
  switch (step.how) {
    case 'number': {
      const [word, refused] = [step.words.at(-1), step.words.length - 1];
      const passed = refused === 0 ? ''
        : ` (${counted(refused, 'number')} before it ${refused === 1 ? 'was' : 'were'} skipped, because with ${refused === 1 ? 'it' : 'them'} some rows would be more likely than others)`;
      const left = plan.method === 'index' ? 'remaining rows' : 'rows';
      return `The random number is ${word}${passed}. Divided by ${grouped(step.choices)}, the number of ${left}, it leaves the remainder ${grouped(step.rest)}, which picks ${row(step.position)}.`;
    }
    case 'ticket':
      return step.below === undefined
        ? `The ticket of this row is ${step.ticket}.`
        : `The ticket of this row is ${step.ticket}, which is below the limit ${step.below}.`;
    case 'time':
      return `The random time of this row, divided by its weight, is about ${step.quotient.toPrecision(6)}.`;
    case 'point':
      return `The segment of this row is from ${grouped(step.from)} to ${grouped(step.to)} and contains the point ${grouped(step.point)}. This is ${row(step.position)}.`;
    case 'slot':
      return step.passed === undefined
        ? `This is one of the first rows: ${row(step.position)}.`
        : `${counted(step.passed, 'row')} ${step.passed === '1' ? 'was' : 'were'} skipped. Then this row replaced a picked row. This is ${row(step.position)}.`;
    case 'list':
      return 'The list is needed to explain this pick.';
  }
}

function row(position: string): string {
  const number = BigInt(position) + 1n;
  const small = number <= BigInt(Number.MAX_SAFE_INTEGER);
  return `the ${small ? ordinal(Number(number)) : `${number}th`} row`;
}

/** Explains an unchecked item to people without mathematical training. */
export function unchecked({ code, message }: Unchecked): string {
  switch (code) {
    case 'commitment': return 'The time at which the plan was published. Compare the commitment below with the one that was published before the seed was known.';
    case 'list': return 'All items that depend on the list. If you choose the list, the whole draw is repeated.';
    case 'seed-origin': return 'The origin of the seed. Only people who were present can confirm that the seed was created as the plan states.';
    case 'beacon-signature': return 'The signature of the beacon. This page does not check signatures; use the command “hashwell verify”.';
    case 'beacon-key':
    case 'memory':
    case 'positions': return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  }
}

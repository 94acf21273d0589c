/** The page: shows the selected part, and sets up each part when it is first opened. */
import { setUpCheck } from './check.js';
import { alarm, get, sentence, show } from './dom.js';
import { setUpFiles } from './files.js';
import { setUpMake } from './make.js';
import { setUpProcesses } from './processes.js';
import { Remote } from './remote.js';
import { setUpSpeed } from './speed.js';
import { setUpSqueeze } from './squeeze.js';

const PARTS = ['files', 'squeeze', 'draw', 'processes', 'speed'] as const;
type Part = (typeof PARTS)[number];

/** The functions that set up the parts. */
const OPENING: Record<Part, () => void> = {
  files: setUpFiles,
  squeeze: () => void setUpSqueeze(),
  draw: () => {
    setUpCheck();
    setUpMake(() => {
      tab('check');
      get('check-form').dispatchEvent(new Event('submit', { cancelable: true }));
      get('check').focus();
    });
    setUpTabs();
  },
  processes: () => void setUpProcesses(),
  speed: setUpSpeed,
};

const opened = new Set<Part>();

function part(): Part {
  const name = location.hash.slice(1);
  return PARTS.find((known) => known === name) ?? 'files';
}

function open(move: boolean): void {
  const shown = part();
  for (const name of PARTS) get(name).hidden = name !== shown;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#${shown}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${get(`${shown}-title`).textContent} · hashwell`;
  if (!opened.has(shown)) {
    opened.add(shown);
    OPENING[shown]();
  }
  if (move) {
    scrollTo(0, 0);
    get('main').focus({ preventScroll: true });
  }
}

const TABS = ['check', 'make'] as const;

function tab(name: (typeof TABS)[number]): void {
  for (const one of TABS) {
    const chosen = one === name;
    get(one).hidden = !chosen;
    get(`${one}-tab`).setAttribute('aria-selected', String(chosen));
    get(`${one}-tab`).tabIndex = chosen ? 0 : -1;
  }
}

function setUpTabs(): void {
  for (const name of TABS) {
    get(`${name}-tab`).addEventListener('click', () => tab(name));
    get(`${name}-tab`).addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
      const other = name === 'check' ? 'make' : 'check';
      tab(other);
      get(`${other}-tab`).focus();
    });
  }
}

async function start(): Promise<void> {
  const remote = new Remote('draw');
  try {
    if (typeof WebAssembly !== 'object') throw new Error('it does not support WebAssembly, which all modern browsers support');
    await remote.start();
  } catch (error) {
    show(get('start'), alarm(`This browser cannot run the page: ${sentence(error)} Nothing was computed.`));
    return;
  } finally {
    remote.close();
  }
  get('start').remove();
  addEventListener('hashchange', () => open(true));
  open(false);
}

void start();

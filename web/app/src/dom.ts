/** Elements of the page, and helpers that its parts share. */

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined>;

/** Creates an element with attributes and children. Strings become text, and are not parsed as HTML. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Returns the element with this id, which must exist. */
export function get<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return element as E;
}

/** Replaces the children of an element. */
export function show(place: HTMLElement, ...children: Child[]): void {
  place.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
}

/** Creates a box with an error message. */
export function alarm(message: string): HTMLElement {
  return el('p', { class: 'alarm', role: 'alert' }, message);
}

/** Returns an error's message as a sentence, with a capital letter and a full stop. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** Shows a chart from the engine. Its style is in the style sheet of the page, because the content security policy requires this. */
export function picture(place: HTMLElement, svg: string): void {
  const drawn = new DOMParser().parseFromString(svg.replace(/<style>.*?<\/style>/s, ''), 'image/svg+xml');
  place.replaceChildren(document.importNode(drawn.documentElement, true));
}

/** Creates a button that copies a text, and then shows that it was copied. */
export function copyButton(text: () => string, label = 'Copy'): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'quiet-button' }, label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'The browser did not allow copying';
    }
    setTimeout(() => (button.textContent = label), 2000);
  });
  return button;
}

/** Creates a button that saves a text as a file. */
export function saveButton(text: () => string, name: string, label: string): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'quiet-button' }, label);
  button.addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([text()], { type: 'application/octet-stream' }));
    el('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
  return button;
}

/** Calls `take` with files that are dropped on an element. */
export function dropped(place: HTMLElement, take: (files: DataTransfer) => void): void {
  place.addEventListener('dragover', (event) => {
    event.preventDefault();
    place.classList.add('over');
  });
  place.addEventListener('dragleave', () => place.classList.remove('over'));
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    place.classList.remove('over');
    if (event.dataTransfer) take(event.dataTransfer);
  });
}

/** Formats an integer with spaces between thousands. */
export function grouped(number: number | bigint | string): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** Formats a count with its noun: `1 row`, `2 rows`. */
export function counted(count: number | string, one: string, more = `${one}s`): string {
  return `${grouped(count)} ${String(count) === '1' ? one : more}`;
}

/** Formats an ordinal number: `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14;
  const end = teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${grouped(number)}${end}`;
}

/** Formats a number of bytes with a unit. */
export function bytes(count: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [count, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return unit === 0 ? counted(count, 'byte') : `${value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '')} ${units[unit]}`;
}

/** Returns a function that calls `work` when it has not been called for `wait` milliseconds. */
export function later(work: () => void, wait = 120): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, wait);
  };
}

/** The script that runs in a browser's worker. */
import { serve, type Task } from './file.js';
import { inbox } from './inbox.js';

const { receive, first, more } = inbox<Task>();
self.onmessage = (event) => receive(event.data);
// Tell the page that the worker has started.
self.postMessage({});
void first.then((task) => serve(task, (answer) => self.postMessage(answer), more));

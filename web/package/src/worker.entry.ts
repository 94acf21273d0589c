/** What runs in a worker of a browser. */
import { serve, type Task } from './file.js';
import { inbox } from './inbox.js';

const { receive, first, more } = inbox<Task>();
self.onmessage = (event) => receive(event.data);
// It runs.
self.postMessage({});
void first.then((task) => serve(task, (answer) => self.postMessage(answer), more));

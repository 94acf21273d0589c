/** The script that runs in a Node worker. */
import { parentPort } from 'node:worker_threads';
import { serve, type Task } from './file.js';
import { inbox } from './inbox.js';

const { receive, first, more } = inbox<Task>();
parentPort!.on('message', receive);
parentPort!.postMessage({});
void first.then((task) => serve(task, (answer) => parentPort!.postMessage(answer), more));

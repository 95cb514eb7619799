// The entry of the thread that `YamlParser` starts: it answers each text with what was made of it.
import { parentPort } from 'node:worker_threads';
import { readDocument } from './yaml-document.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.on('message', (text: string) => parentPort?.postMessage(readDocument(text)));

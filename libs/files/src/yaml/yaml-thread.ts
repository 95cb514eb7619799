// The entry of the thread that `YamlParser` starts: it answers texts with what was made of them.
import { parentPort } from 'node:worker_threads';
import { readDocuments, type YamlQuestion } from './yaml-document.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.on('message', (question: YamlQuestion) => parentPort?.postMessage(readDocuments(question)));

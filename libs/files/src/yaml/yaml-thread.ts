// The entry point of the thread that `YamlParser` starts: it receives texts and returns the parsed values.
import { parentPort } from 'node:worker_threads';
import { readDocuments, type YamlQuestion } from './yaml-document.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.on('message', (question: YamlQuestion) => parentPort?.postMessage(readDocuments(question)));

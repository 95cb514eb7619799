// The entry point of the thread that reads a spreadsheet: it receives the file first, then requests for rows.
import { parentPort, workerData } from 'node:worker_threads';
import type { ParseFailure } from '../reader-thread.js';
import { SpreadsheetRows, type SpreadsheetQuestion } from './spreadsheet-rows.js';
import { InvalidFiles } from '../invalid-files.js';

const rows = new SpreadsheetRows();

async function answerTo(question: SpreadsheetQuestion): Promise<object | ParseFailure> {
  try {
    return await rows.answerTo(question);
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error;
    const [first] = error.errors;
    return { error: error.message, ...(first?.row && { row: first.row }) };
  }
}

const questions = workerData as Int32Array<SharedArrayBuffer>;
let answerCount = 0;

async function answer(question: SpreadsheetQuestion): Promise<void> {
  const message = await answerTo(question);
  answerCount += 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
  parentPort?.postMessage(message);
  // hucre reads the sheet to its end and keeps all rows in memory: this pauses it until the next question.
  Atomics.wait(questions, 0, answerCount);
}

parentPort?.on('message', (question: SpreadsheetQuestion) => void answer(question));

// The entry of the thread that reads a spreadsheet: it is given the file, and then asked for rows.
import { parentPort } from 'node:worker_threads';
import type { Refusal } from '../reader-thread.js';
import { SpreadsheetRows, type SpreadsheetQuestion } from './spreadsheet-rows.js';
import { FilesRefused } from '../files-refused.js';

const rows = new SpreadsheetRows();

async function answerTo(question: SpreadsheetQuestion): Promise<object | Refusal> {
  try {
    return await rows.answerTo(question);
  } catch (error) {
    if (!(error instanceof FilesRefused)) throw error;
    const [first] = error.errors;
    return { problem: error.message, ...(first?.row && { row: first.row }) };
  }
}

parentPort?.on('message', (question: SpreadsheetQuestion) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
  void answerTo(question).then((answer) => parentPort?.postMessage(answer));
});

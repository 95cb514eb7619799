import { users } from '../src/app.js';

export const tokens = { reader: 'Bearer reader', editor: 'Bearer editor', admin: 'Bearer admin' };
export const resetData = () => void users.add('7');

import express from 'express';

const ROLES = new Map(['reader', 'editor', 'admin'].map((role) => [`Bearer ${role}`, role]));
const { FAULT } = process.env;
export const users = new Set();

const only =
  (...roles) =>
  (request, response, next) => {
    const role = ROLES.get(request.get('Authorization'));
    if (!role) return response.sendStatus(401);
    return roles.includes(role) ? next() : response.sendStatus(403);
  };
const readers =
  FAULT === 'open-to-everyone' ? (_request, _response, next) => next() : only('reader', 'editor', 'admin');
const deleters = FAULT === 'reader-deletes' ? only('reader', 'admin') : only('admin');

export const app = express();
app.use(express.json());
app.get('/projects', readers, (_request, response) => response.json([]));
app.post('/projects', only('editor', 'admin'), (_request, response) => response.status(201).json({}));
app.delete('/users/:id', deleters, (request, response) =>
  response.sendStatus(users.delete(request.params.id) ? 204 : 404),
);
if (FAULT === 'forgotten-route') app.put('/users/:id', only('admin'), (_request, response) => response.sendStatus(204));

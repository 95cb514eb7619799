/** The table of passkeys. */
export const rows = [];

export const passkeys = {
  add: async (userId, credential) => void rows.push({ ...credential, userId }),
  find: async (id) => rows.find((row) => row.id === id),
  setCounter: async (id, counter) => void Object.assign(rows.find((row) => row.id === id) ?? {}, { counter }),
  list: async (userId) => rows.filter((row) => row.userId === userId),
  remove: async (userId, id) => {
    const index = rows.findIndex((row) => row.id === id && row.userId === userId);
    if (index >= 0) rows.splice(index, 1);
    return index >= 0;
  },
};

/** What the library stores, shared by all models. */
const stored = new Map();

export class PostgresAdapter {
  constructor(model) {
    this.model = model;
  }

  keyOf(id) {
    return `${this.model}:${id}`;
  }

  async upsert(id, payload, seconds) {
    stored.set(this.keyOf(id), { ...payload, storedUntil: seconds ? Date.now() + seconds * 1_000 : Infinity });
  }

  async find(id) {
    const found = stored.get(this.keyOf(id));
    return found && found.storedUntil > Date.now() ? found : undefined;
  }

  async findBy(name, value) {
    return [...stored].find(([key, item]) => key.startsWith(`${this.model}:`) && item[name] === value)?.[1];
  }

  findByUid(uid) {
    return this.findBy('uid', uid);
  }

  findByUserCode(userCode) {
    return this.findBy('userCode', userCode);
  }

  async consume(id) {
    Object.assign(stored.get(this.keyOf(id)), { consumed: Math.floor(Date.now() / 1_000) });
  }

  async destroy(id) {
    stored.delete(this.keyOf(id));
  }

  async revokeByGrantId(grantId) {
    for (const [key, item] of stored) if (item.grantId === grantId) stored.delete(key);
  }
}

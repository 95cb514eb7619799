export const events = [];
export const enqueue = async (event) => void events.push(event);

/** How often the resolvers asked for orders. */
export const asked = [];

export const ordersOf = (first) => {
  asked.push(first);
  if (first === 77) throw new Error('s3cret');
  return Array.from({ length: first }, (_, id) => ({ id, title: `order ${id}` }));
};

export const authenticated = (request, _response, next) => {
  const id = request.get('X-User');
  if (id) request.user = { id };
  next();
};

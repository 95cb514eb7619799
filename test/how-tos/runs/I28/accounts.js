export const authenticate = async ({ name, password }) => (password === 'right' ? { id: name } : undefined);
export const verifySecondFactor = async (_user, { code }) => code === '123456';
export const changePassword = async (_user, { password }) => password === 'right';

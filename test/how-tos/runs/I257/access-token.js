export const signed = [];
export async function signAccessToken(claims) {
  signed.push(claims);
  return `access-${signed.length}`;
}

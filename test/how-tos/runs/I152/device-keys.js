export const deviceKeyOf = async (payer) => Buffer.from(`key of ${payer}`);

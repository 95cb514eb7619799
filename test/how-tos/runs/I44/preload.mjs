import { connectPrisma } from './support/prisma.mjs';

connectPrisma(process.env.DATABASE_URL);

// Runs before Next.js: its builds and its server load the data layer of the how-to, which connects to the database.
import { attachPrisma } from './support/prisma.mjs';

attachPrisma(process.env.DATABASE_URL);

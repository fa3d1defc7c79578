// Streams of Node around a pair of the web's.
import { Duplex } from "node:stream";

export const pipe = (pair, options) => Duplex.fromWeb(pair, options);

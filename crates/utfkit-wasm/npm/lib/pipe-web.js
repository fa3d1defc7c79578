export const pipe = (pair) => pair;

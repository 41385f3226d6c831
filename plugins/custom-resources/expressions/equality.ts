import { type CelValue, celEnv } from '@bufbuild/cel'

const equality = celEnv().funcs.find('_==_')!

/** Are these values equal, as `==` has it? */
export const isEqual = (left: unknown, right: unknown): boolean =>
  left === right ||
  ((typeof left === 'object' || typeof left !== typeof right) &&
    equality.call(0, undefined, [left as CelValue, right as CelValue]) === true)

import { type CelValue, celEnv } from '@bufbuild/cel'

const equality = celEnv().funcs.find('_==_')!

/** Whether two values are equal in the sense of `==`. */
export const isEqual = (left: unknown, right: unknown): boolean =>
  left === right ||
  ((typeof left === 'object' || typeof left !== typeof right) &&
    equality.call(0, undefined, [left as CelValue, right as CelValue]) === true)

import type { TypeNode } from '../../schema/type-model.js'

/** Whether a list, map or struct is one unit, owned and changed as a whole. */
export const isAtomic = (node: TypeNode): boolean =>
  node.is === 'list' ? node.listType === 'atomic' : (node.is === 'struct' || node.is === 'map') && node.atomic

import { type FieldError, invalidValue } from '../../resource/field-errors.js'

/** No part of the path may climb to its parent. */
export const checkNoBacksteps = (path: string, field: string): FieldError[] =>
  path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []

/** A path below some folder: relative and never climbing out. */
export const checkLocalPath = (path: string, field: string): FieldError[] => [
  ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
  ...checkNoBacksteps(path, field),
]

/** Like `checkLocalPath`, and not beginning with `..`: the node agent keeps its own files under such names. */
export const checkLocalNonReservedPath = (path: string, field: string): FieldError[] => [
  ...checkLocalPath(path, field),
  ...(path.startsWith('..') && !path.startsWith('../') ? [invalidValue(field, path, "must not start with '..'")] : []),
]

const maxFileMode = 0o777
/** Permission bits of a file. */
export const checkFileMode = (mode: number | undefined, field: string): FieldError[] =>
  mode !== undefined && (mode < 0 || mode > maxFileMode)
    ? [invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : []

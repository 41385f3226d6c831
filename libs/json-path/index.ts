export { JsonPathError } from './errors.js'
export { findValues, valuesAt } from './find-values.js'
export { type PathStep, readPath, type Step } from './read-path.js'
export { fillTemplate, printed, valuesAsJson } from './template.js'

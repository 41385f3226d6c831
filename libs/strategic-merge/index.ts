export { StrategicMergeError, type StrategicMergeProblem } from './errors.js'
export { type ListRule, type MergeRules, strategicMerge } from './strategic-merge.js'

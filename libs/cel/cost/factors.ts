/** The costs of language constructs as Kubernetes counts them. Cost limits are in these units. */
export const selectCost = 1
export const listCost = 10
export const mapCost = 30
export const structCost = 40
/** Cost per character of a string or per byte. */
export const traversalFactor = 0.1
/** Cost per character of a pattern, assuming four characters per subexpression on average. */
export const patternFactor = 0.25

/** The costs of a language step, as Kubernetes counts them. Limits of rules are in these units. */
export const selectCost = 1
export const listCost = 10
export const mapCost = 30
export const structCost = 40
/** Cost per character of a string or per byte. */
export const traversalFactor = 0.1
/** Cost per character of a pattern: an expression in it has four characters on average. */
export const patternFactor = 0.25

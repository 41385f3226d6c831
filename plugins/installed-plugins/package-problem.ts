/** The package of a plugin cannot be used. */
export class PackageProblem extends Error {}

/** A plugin that cannot be read as it is asked for. */
export class PackageProblem extends Error {}

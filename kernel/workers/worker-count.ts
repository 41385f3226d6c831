import { availableParallelism } from 'node:os'

/** How many processes serve requests. One means that there are no others at all. */
export const workerCount = (option: number | 'auto'): number => (option === 'auto' ? availableParallelism() : option)

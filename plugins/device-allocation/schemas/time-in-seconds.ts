/** A time as it is written: to the second. */
export const timeInSeconds = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}Z`

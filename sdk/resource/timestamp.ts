/** A time in the format of `Time` fields, in whole seconds: `2026-01-31T12:00:00Z`. */
export const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
/** A time in the format of `MicroTime` fields: `2026-01-31T12:00:00.123000Z`. */
export const microTimestampOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z')

/** Formats of numbers. */
export const perSecond = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)}/s`
export const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`
/** With commas between thousands. `Intl.NumberFormat` takes longer to load than a page of rows takes to render. */
export const whole = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')
export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** Numbers for people. */
export const perSecond = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)}/s`
export const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`
/** With a comma between thousands. Loading the browser's own formats takes longer than drawing a page of rows. */
export const whole = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')
export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** Numbers for people. */
export const perSecond = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)}/s`
export const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`
export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

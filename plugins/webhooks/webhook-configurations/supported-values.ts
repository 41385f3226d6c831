/** Whether asking changes anything: every word for it, and those that the newer version insists on. */
export const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown']
/** May be called on a dry run. */
export const harmlessSideEffects = ['None', 'NoneOnDryRun']
/** What this server can send, the preferred one first. */
export const reviewVersions = ['v1', 'v1beta1']

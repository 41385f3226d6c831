/** The classes of side effects. The newer version only allows the harmless ones. */
export const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown']
/** Webhooks that may be called on a dry run. */
export const harmlessSideEffects = ['None', 'NoneOnDryRun']
/** The versions that this server can send, the preferred one first. */
export const reviewVersions = ['v1', 'v1beta1']

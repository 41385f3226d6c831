/** The words of the specification, and those among them that only the newer version insists on. */
export const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
export const scopes = ['*', 'Cluster', 'Namespaced']
export const failurePolicies = ['Fail', 'Ignore']
export const matchPolicies = ['Equivalent', 'Exact']
export const reinvocationPolicies = ['IfNeeded', 'Never']
export const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown']
/** May be called on a dry run. */
export const harmlessSideEffects = ['None', 'NoneOnDryRun']
/** What this server can send, the preferred one first. */
export const reviewVersions = ['v1', 'v1beta1']
export const maxTimeoutSeconds = 30

/** What clients of the older version are told. */
export const deprecatedV1beta1 = (group: string, kind: string) => ({
  deprecated: {
    warning: `${group}/v1beta1 ${kind} is deprecated in v1.23+, unavailable in v1.26+; use ${group}/v1beta2 ${kind}`,
    removedRelease: '1.26',
    replacement: `${group}/v1beta2`,
  },
})

/** What clients of the older version are told. */
export const deprecatedV1beta1 = (group: string) => ({
  deprecated: {
    since: '1.23',
    removedRelease: '1.26',
    replacement: `${group}/v1beta2`,
  },
})

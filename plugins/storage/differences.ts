import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const driversChange = defineDifference({
  name: 'csi-drivers-can-change',
  since: '1.30',
  description:
    'fsGroupPolicy and podInfoOnMount of a CSIDriver can change, and every such change counts as a generation.',
  knownFrom: 'source',
})

export const differences = [driversChange]

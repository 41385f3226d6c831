import { type FieldError, forbiddenField, type Vendor } from 'orch/sdk'
import { type Pod, podAnnotations } from 'orch/sdk/core'

/** A mirror Pod only shows a Pod that a node runs by itself, so some changes of it would have no effect. */
export const refuseMirrorPod = ({ metadata }: Pod, vendor: Vendor, why: string): FieldError[] =>
  metadata?.annotations?.[podAnnotations(vendor).mirror] === undefined ? [] : [forbiddenField('[]', why)]

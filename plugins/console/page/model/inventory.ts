/** The response of `/console/inventory`. */
export interface ServerInventory {
  readonly plugins: readonly { readonly name: string; readonly brings: Readonly<Record<string, readonly string[]>> }[]
  readonly admissionChain: readonly { readonly name: string; readonly phase: string; readonly plugin: string }[]
}

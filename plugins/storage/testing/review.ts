import type { AdmissionDefinition, AdmissionRequest, Rejection, StoreReader } from 'orch/sdk'

/** A store that holds these objects of whatever type is asked for. */
export const storeOf = (...objects: { metadata?: { name?: string } }[]): StoreReader => ({
  get: async <T>(_: unknown, __: string, name: string) =>
    objects.find(({ metadata }) => metadata?.name === name) as T | undefined,
  list: async <T>() => objects as T[],
})

/** What a control says to a request; undefined when it lets it pass. */
export async function reviewWith<T>(
  // biome-ignore lint/suspicious/noExplicitAny: controls with different needs are tried here
  control: AdmissionDefinition<T, any>,
  request: Partial<AdmissionRequest<T>>,
  services: object = {},
): Promise<string | undefined> {
  const verdict = await control.review(request as AdmissionRequest<T>, services as never, 'mutate')
  return (verdict as Rejection | undefined)?.message
}

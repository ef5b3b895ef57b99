import type { ChatModel, Usage } from '@icm/chat-model'

export interface AnswerTimes {
  /** Until the first event of the first answer. */
  firstEventMs: number | undefined
  /** Of the first answer. */
  usage: Usage | undefined
}

/** Notes when a model's first answer begins, and what it cost. */
export function timedModel(model: ChatModel): { readonly model: ChatModel; readonly times: AnswerTimes } {
  const times: AnswerTimes = { firstEventMs: undefined, usage: undefined }
  return {
    times,
    model: {
      id: model.id,
      get contextWindow() {
        return model.contextWindow
      },
      stream: async function* (request) {
        const startedAt = performance.now()
        for await (const event of model.stream(request)) {
          times.firstEventMs ??= performance.now() - startedAt
          if (event.type === 'finish') times.usage ??= event.usage
          yield event
        }
      },
    },
  }
}

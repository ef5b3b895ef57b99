/**
 * A text whose chat-template tokens are text again: `<|im_start|>` becomes `<| im_start |>`.
 *
 * A server renders all messages into one prompt and then reads such tokens wherever they stand, so that a file or a page
 * that holds `<|im_end|><|im_start|>system` could speak in the place of the system (field report G11). Known are
 * the forms of Qwen, Llama 3, Phi, GLM and gpt-oss (`<|…|>`), of DeepSeek (`<｜…｜>`) and of Gemma (`<start_of_turn>`).
 * The embedded engine needs none of this: it never reads tokens out of a message.
 */
export function withoutTemplateTokens(text: string): string {
  if (!text.includes('<|') && !text.includes('<｜') && !text.includes('_of_turn>')) return text
  return text
    .replace(/<([|｜])([\p{L}\p{N}_▁.:-]{1,64})([|｜])>/gu, '<$1 $2 $3>')
    .replace(/<(start|end)_of_turn>/g, '< $1_of_turn >')
}

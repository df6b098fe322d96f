#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "CTOMLPlusPlus.h"

namespace {

/// Who is told about the parts of a document.
struct Listener {
    void *context;
    void (*event)(void *, const marquee_toml_event *);

    /// Reports a node and all below it. The parser bounds the depth (TOML_MAX_NESTED_VALUES).
    void report(const toml::node &node, const toml::key *name) const {
        marquee_toml_event event = {};
        event.kind = MARQUEE_TOML_OTHER;
        event.line = (name ? name->source() : node.source()).begin.line;
        if (name) {
            event.name = name->data();
            event.name_length = name->length();
        }
        if (const auto *table = node.as_table()) {
            event.kind = MARQUEE_TOML_TABLE;
            this->event(context, &event);
            for (auto member = table->cbegin(); member != table->cend(); ++member) report(member->second, &member->first);
            end();
            return;
        }
        if (const auto *array = node.as_array()) {
            event.kind = MARQUEE_TOML_ARRAY;
            this->event(context, &event);
            for (const toml::node &element : *array) report(element, nullptr);
            end();
            return;
        }
        if (const auto *text = node.as_string()) {
            event.kind = MARQUEE_TOML_TEXT;
            event.text = text->get().data();
            event.text_length = text->get().size();
        } else if (const auto *integer = node.as_integer()) {
            event.kind = MARQUEE_TOML_INTEGER;
            event.integer = integer->get();
        } else if (const auto *boolean = node.as_boolean()) {
            event.kind = MARQUEE_TOML_BOOLEAN;
            event.integer = boolean->get();
        }
        this->event(context, &event);
    }

    void end() const {
        marquee_toml_event event = {};
        event.kind = MARQUEE_TOML_END;
        this->event(context, &event);
    }
};

void describe(marquee_toml_fault *fault, uint32_t line, uint32_t column, std::string_view reason) {
    fault->line = line;
    fault->column = column;
    std::snprintf(fault->reason, sizeof fault->reason, "%.*s", static_cast<int>(reason.size()), reason.data());
}

}  // namespace

bool marquee_toml_read(
    const char *text, size_t length, void *context, void (*event)(void *, const marquee_toml_event *),
    marquee_toml_fault *fault) {
    try {
        const toml::table root = toml::parse(std::string_view(text, length));
        Listener{context, event}.report(root, nullptr);
        return true;
    } catch (const toml::parse_error &error) {
        const auto &place = error.source().begin;
        describe(fault, place.line, place.column, error.description());
    } catch (const std::exception &error) {
        describe(fault, 1, 1, error.what());
    }
    return false;
}
